/** Returns Redoc's theme. Its colors are the custom properties of theme.css. */
export function readTheme() {
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(`--${name}`).trim();
  const main = (name) => ({ main: colour(name) });
  const sans = "system-ui, sans-serif";
  const response = (name) => ({ color: colour(name), tabTextColor: colour(`${name}-on-dark`) });
  return {
    colors: {
      primary: { main: colour("accent-fill"), light: colour("accent") },
      success: main("success"),
      warning: main("warning"),
      error: main("error"),
      gray: { 50: colour("raised"), 100: colour("raised") },
      text: { primary: colour("text"), secondary: colour("text-muted") },
      border: { dark: colour("border"), light: colour("border") },
      responses: {
        success: response("success"),
        redirect: response("warning"),
        info: response("info"),
        error: response("error"),
      },
      http: {
        get: colour("get"),
        post: colour("post"),
        put: colour("put"),
        patch: colour("patch"),
        delete: colour("delete"),
      },
    },
    schema: { linesColor: colour("border"), nestedBackground: colour("raised") },
    typography: {
      fontSize: "15px",
      fontFamily: sans,
      smoothing: "auto",
      headings: { fontFamily: sans, fontWeight: "600", lineHeight: "1.35em" },
      code: {
        fontFamily: "ui-monospace, monospace",
        color: colour("text"),
        backgroundColor: colour("raised"),
      },
      links: { color: colour("accent"), hover: colour("text") },
    },
    sidebar: { width: "290px", backgroundColor: colour("raised"), textColor: colour("text") },
    rightPanel: {
      backgroundColor: colour("panel"),
      textColor: colour("panel-text"),
      servers: {
        overlay: { backgroundColor: colour("raised"), textColor: colour("text") },
        url: { backgroundColor: colour("background") },
      },
    },
    codeBlock: { backgroundColor: colour("code-background") },
    fab: { backgroundColor: colour("raised"), color: colour("accent") },
  };
}
