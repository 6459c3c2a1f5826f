/** Returns a text without tokens, keys and secrets of Parley, for clients that send one where none belongs, for example in a path. */
export function withoutCredentials(text: string): string {
  return text.replace(/parley_[a-z]{2}_[\w.-]+/g, "…");
}
