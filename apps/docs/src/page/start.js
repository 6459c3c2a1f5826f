/** Renders the reference. The page loads nothing from other origins. */
import { amend } from "./amend.js";
import { readTheme } from "./theme.js";

const root = document.getElementById("redoc");
const notice = document.getElementById("notice");

function fail(error) {
  notice.textContent = `The reference could not be loaded: ${error.message}`;
}

try {
  const response = await fetch("reference.json");
  if (!response.ok) throw new Error(`the response for reference.json was ${response.status}`);
  // Use the address of this server in the commands, so that you can run them unchanged.
  const demo = "http://127.0.0.1:8080";
  const here = window.location.origin;
  const text = (await response.text())
    .replaceAll(demo, here)
    .replaceAll(encodeURIComponent(demo), encodeURIComponent(here));
  const options = {
    downloadDefinitionUrl: "openapi.json", // Otherwise both downloads get the same file name.
    downloadUrls: [
      { title: "openapi.yaml", url: "openapi.yaml" },
      { title: "openapi.json", url: "openapi.json" },
    ],
    hideLoading: true,
    jsonSamplesExpandLevel: 5,
    nativeScrollbars: true,
    payloadSampleIdx: 2,
    schemasExpansionLevel: 2,
    theme: readTheme(),
  };
  amend(root);
  window.Redoc.init(JSON.parse(text), options, root, (error) => {
    if (error) fail(error);
    else notice.remove();
  });
} catch (error) {
  fail(error);
}

// Redoc computes shades from its initial colors.
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => window.location.reload());
