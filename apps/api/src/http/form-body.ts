import { parse } from "node:querystring";
import type { FastifyInstance } from "fastify";
import { ApiError } from "./api-error.ts";
import { checkValues } from "./stored-values.ts";

const maxFields = 1_000;

/** Parses forms, and rejects values that cannot be stored. */
export function parseForms(app: FastifyInstance): void {
  app.addContentTypeParser<string>(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (_request: unknown, text: string) => {
      if (text.split("&", maxFields + 1).length > maxFields) {
        throw new ApiError(400, "invalid_request", `The form has more than ${maxFields} fields.`);
      }
      const fields = { ...parse(text, "&", "=", { maxKeys: maxFields }) };
      checkValues(fields, "body");
      return fields;
    },
  );
}
