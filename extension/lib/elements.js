// Parts of the extension's own pages.

export const find = (id) => document.getElementById(id);

/// Creates an element. Texts become text nodes, never markup.
export function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/// Sends a command to the background script. Errors are returned as `{ error }`.
export async function ask(command, parameters = {}) {
  try {
    return (await chrome.runtime.sendMessage({ command, ...parameters })) ?? {};
  } catch {
    return { error: "The extension does not answer. Close this page and open it again." };
  }
}
