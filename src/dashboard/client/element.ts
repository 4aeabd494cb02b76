/** A new element; strings become text, never markup. */
export function element(tag: string, name: string, ...inside: (string | Node)[]): HTMLElement {
  const made = document.createElement(tag)
  if (name) made.className = name
  made.append(...inside)
  return made
}

export const badge = (text: string, tone: string): HTMLElement =>
  element('span', `badge ${tone}`, text)
