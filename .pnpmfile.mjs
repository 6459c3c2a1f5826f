/** Redoc's standalone bundle holds everything that it needs, so none of the packages that it is made of is installed. */
export const hooks = {
  readPackage(manifest) {
    if (manifest.name === "redoc") return { ...manifest, dependencies: {}, peerDependencies: {} };
    return manifest;
  },
};
