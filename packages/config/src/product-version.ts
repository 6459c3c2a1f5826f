import product from "../../../package.json" with { type: "json" };

/** The version of Parley. */
export const productVersion: string = product.version;
