// Returns the form of a text for this number: the one of a sample in the same plural category.
function countedText(forms, count, language) {
  const rules = new Intl.PluralRules(language);
  const sample = Object.keys(forms).find((one) => rules.select(Number(one)) === rules.select(count)) ?? "100";
  return forms[sample].replace(sample, count);
}
