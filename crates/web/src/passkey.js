// Asks the browser for a passkey and submits its answer with the form. The form has the options as data attributes, and one
// hidden field for each value of the answer. Without this file, the page states that passkeys need scripts. Its texts are an
// attribute of its element.
(() => {
  const form = document.querySelector("form[data-challenge]");
  if (!form) return;
  const texts = JSON.parse(document.currentScript.dataset.texts);
  const notice = document.getElementById("passkey-notice");
  const button = form.querySelector("button[type=submit]");
  const say = (text) => { notice.textContent = text; notice.hidden = false; };
  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
  const base64url = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer || []))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
  const set = (name, buffer) => { form.elements[name].value = base64url(buffer); };
  if (!window.PublicKeyCredential) { button.disabled = true; say(texts["passkey-unsupported"]); return; }
  const data = form.dataset;
  const get = async () => {
    const { rawId, response } = await navigator.credentials.get({ publicKey: {
      challenge: bytes(data.challenge), rpId: data.party, userVerification: "required", timeout: 240000,
    } });
    set("credentialId", rawId);
    set("clientData", response.clientDataJSON);
    set("authenticatorData", response.authenticatorData);
    set("signature", response.signature);
    set("userHandle", response.userHandle);
  };
  const create = async () => {
    const { response } = await navigator.credentials.create({ publicKey: {
      challenge: bytes(data.challenge),
      rp: { id: data.party, name: data.service },
      user: { id: bytes(data.user), name: data.account, displayName: data.account },
      pubKeyCredParams: data.algorithms.split(" ").map((alg) => ({ type: "public-key", alg: Number(alg) })),
      excludeCredentials: data.excluded.split(" ").filter(Boolean).map((id) => ({ type: "public-key", id: bytes(id) })),
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
      attestation: "none", timeout: 240000,
    } });
    set("clientData", response.clientDataJSON);
    set("attestation", response.attestationObject);
  };
  let answered = false;
  form.addEventListener("submit", async (event) => {
    if (answered) return;
    event.preventDefault();
    button.disabled = true;
    try {
      await (data.user ? create() : get());
      answered = true;
      form.submit();
    } catch (error) {
      button.disabled = false;
      say(error.name === "InvalidStateError" ? texts["passkey-exists"] : texts["passkey-not-given"]);
    }
  });
})();
