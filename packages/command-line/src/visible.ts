/** Controls, and characters that change the direction of text. */
const controls = /[\p{Cc}\u2028-\u202E\u2066-\u2069]/gu;

/** Replaces control characters in one line, because untrusted names could contain terminal escape sequences. */
export function visible(text: string): string {
  return text.replaceAll(controls, "�");
}

/** Replaces the control characters of a text with lines. JSON stays the same JSON. */
export function withoutControls(text: string): string {
  return text.replaceAll(controls, (control) =>
    control === "\n" ? control : `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
