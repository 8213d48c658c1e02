// Defines, in the page, how to read a picture or document that the page displays: from the browser's cache, with the
// person's own session.
globalThis.carrelFile = async (address) => {
  const FILE_LIMIT = 25 * 1024 * 1024;
  try {
    const response = await fetch(address, { cache: "force-cache" });
    const blob = response.ok ? await response.blob() : null;
    if (!blob?.size || blob.size > FILE_LIMIT) return null;
    const reader = new FileReader();
    await new Promise((resolve, reject) => {
      reader.onload = resolve;
      reader.onerror = reject;
      reader.readAsDataURL(blob);
    });
    return { type: blob.type, data: reader.result.slice(reader.result.indexOf(",") + 1) };
  } catch {
    return null;
  }
};
