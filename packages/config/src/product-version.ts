import product from "../../../package.json" with { type: "json" };

/** Version of Parley. */
export const productVersion: string = product.version;
