export { type AccentTokens, accentTokens } from "./accent.ts";
export { type Brand, createBrand, type LogoImage, parleyBrand } from "./brand.ts";
export { columnChart, sparkline } from "./components/charts.ts";
export {
  alert,
  badge,
  card,
  cardList,
  checkList,
  codeBlock,
  descriptionList,
  emptyState,
  notice,
  secretBox,
  table,
  tabs,
  warning,
} from "./components/content.ts";
export { button, checkbox, choices, field, optionRows } from "./components/controls.ts";
export { disclosure, figures, filterForm, jsonBlock, pager } from "./components/data.ts";
export { componentsPage } from "./components-page.ts";
export {
  type Attributes,
  attributes,
  type Content,
  type Html,
  html,
  raw,
  render,
  renderSync,
} from "./html.ts";
export { logo } from "./logo.ts";
export { pageLayout } from "./page-layout.ts";
export { stylesheets } from "./stylesheets.ts";
