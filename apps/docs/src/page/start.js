/** Renders the reference. The page and everything that it loads come from one origin. */
import { amend } from "./amend.js";
import { init } from "./redoc.js";

const notice = document.getElementById("notice");

try {
  const response = await fetch("reference.json");
  if (!response.ok) throw new Error(`reference.json answered ${response.status}`);
  // Commands name the server that the reader came to, so that they can be pasted as they are.
  const demo = "http://127.0.0.1:8080";
  const here = window.location.origin;
  const text = (await response.text())
    .replaceAll(demo, here)
    .replaceAll(encodeURIComponent(demo), encodeURIComponent(here));
  const options = {
    skipBundle: true,
    disableTelemetry: true,
    hideLoading: true,
    codeSamples: { languages: [{ lang: "curl" }, { lang: "TypeScript" }] },
    downloadUrls: [
      { title: "openapi.yaml", url: "openapi.yaml" },
      { title: "openapi.json", url: "openapi.json" },
    ],
    jsonSamplesExpandLevel: 5,
    schemasExpansionLevel: 2,
  };
  amend(document.getElementById("redoc"));
  init(JSON.parse(text), options, document.getElementById("redoc"));
  notice.remove();
} catch (error) {
  notice.textContent = `The reference could not be loaded: ${error.message}`;
}
