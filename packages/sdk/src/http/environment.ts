interface Global {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
}

/** Returns an environment variable; empty if it is not set, or if there are none, as in a browser. */
export function environment(name: "PARLEY_URL" | "PARLEY_TOKEN" | "PARLEY_PLATFORM_KEY"): string {
  return (globalThis as Global).process?.env?.[name] ?? "";
}
