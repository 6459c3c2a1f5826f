import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from "n8n-workflow";
import { type Resource, resources } from "./resources/index.ts";

const titled = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
const shownFor = (resource: Resource, ...operation: string[]): IDisplayOptions => ({
  show: { resource: [resource.name], operation },
});

/** The fields of the node: a resource, an operation, and the parameters of the operation. */
export const properties: INodeProperties[] = [
  {
    displayName: "Resource",
    name: "resource",
    type: "options",
    noDataExpression: true,
    options: resources.map(({ name }) => ({ name: titled(name), value: name })),
    default: "lead",
  },
  ...resources.map(operationOf),
  {
    displayName: "ID",
    name: "id",
    type: "string",
    required: true,
    default: "",
    displayOptions: { show: { operation: ["get", "update"] } },
  },
  ...resources.flatMap(inputsOf),
  {
    displayName: "Return All",
    name: "returnAll",
    type: "boolean",
    default: false,
    description: "Whether to return all results or only up to a given limit",
    displayOptions: { show: { operation: ["getAll"] } },
  },
  {
    displayName: "Limit",
    name: "limit",
    type: "number",
    typeOptions: { minValue: 1 },
    default: 50,
    description: "Max number of results to return",
    displayOptions: { show: { operation: ["getAll"], returnAll: [false] } },
  },
  ...resources.map((resource) =>
    collection("filters", "Filters", "Add Filter", resource.filters, shownFor(resource, "getAll")),
  ),
];

function operationOf(resource: Resource): INodeProperties {
  const { name, plural } = resource;
  const options: INodePropertyOptions[] = [
    { name: "Get", value: "get", action: `Get a ${name}`, description: `Retrieve one ${name} by its ID` },
    { name: "Get Many", value: "getAll", action: `Get many ${plural}`, description: `Retrieve ${plural}` },
  ];
  if (resource.create) {
    const description = `Create a ${name}`;
    options.unshift({ name: "Create", value: "create", action: description, description });
  }
  if (resource.update) {
    const description = `Update the given fields of a ${name}`;
    options.push({ name: "Update", value: "update", action: `Update a ${name}`, description });
  }
  return {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: [name] } },
    options,
    default: "getAll",
  };
}

function inputsOf(resource: Resource): INodeProperties[] {
  const { create, update } = resource;
  const forCreate = shownFor(resource, "create");
  return [
    ...(create?.required ?? []).map((property) => ({ ...property, displayOptions: forCreate })),
    ...(create
      ? [collection("additionalFields", "Additional Fields", "Add Field", create.optional, forCreate)]
      : []),
    ...(update
      ? [collection("updateFields", "Update Fields", "Add Field", update, shownFor(resource, "update"))]
      : []),
  ];
}

function collection(
  name: string,
  displayName: string,
  placeholder: string,
  options: INodeProperties[],
  displayOptions: IDisplayOptions,
): INodeProperties {
  return { displayName, name, type: "collection", placeholder, default: {}, displayOptions, options };
}
