/** Channel to which the page `/docs/signed-in` sends its address. Only pages of the same origin receive it. */
export const redirectChannel = "parley-signed-in";
