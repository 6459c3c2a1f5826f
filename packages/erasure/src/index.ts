export { completeReport, type Report, reportKinds, type Subject } from "./erasure.ts";
export { previewErasure } from "./preview-erasure.ts";
export { requestErasure } from "./request-erasure.ts";
export { isTaken, startErasures } from "./start-erasures.ts";
