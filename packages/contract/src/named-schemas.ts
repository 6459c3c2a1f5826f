import ts from "typescript";

const { factory } = ts;

/**
 * Declares each schema in the output of openapi-typescript under its name, objects as interfaces. Editors then show
 * `Lead` on hover instead of `components["schemas"]["Lead"]`.
 *
 * @returns the declarations, followed by the output with each schema replaced by its name
 */
export function declareSchemas(nodes: readonly ts.Node[]): ts.Node[] {
  const declarations: ts.Node[] = [];
  const rest = nodes.map((node) => {
    if (!ts.isInterfaceDeclaration(node)) return node;
    return ts.visitEachChild(useNames(node) as ts.InterfaceDeclaration, visitMember, undefined);
  });
  return [...declarations, ...rest];

  function visitMember(member: ts.Node): ts.Node {
    if (!isProperty(member, "schemas") || !member.type || !ts.isTypeLiteralNode(member.type)) return member;
    const members = member.type.members.map((schema) => {
      if (!ts.isPropertySignature(schema) || !schema.type) return schema;
      const name = nameOf(schema.name);
      declarations.push(ts.setSyntheticLeadingComments(declare(name, schema.type), commentsOf(schema)));
      const reference = factory.createTypeReferenceNode(name);
      return factory.createPropertySignature(undefined, schema.name, undefined, reference);
    });
    const type = factory.createTypeLiteralNode(members);
    return factory.updatePropertySignature(member, member.modifiers, member.name, member.questionToken, type);
  }
}

function declare(name: string, type: ts.TypeNode): ts.Node {
  const modifiers = [factory.createModifier(ts.SyntaxKind.ExportKeyword)];
  return ts.isTypeLiteralNode(type)
    ? factory.createInterfaceDeclaration(modifiers, name, undefined, undefined, type.members)
    : factory.createTypeAliasDeclaration(modifiers, name, undefined, type);
}

/** Replaces each `components["schemas"]["Lead"]` with `Lead`. */
function useNames(node: ts.Node): ts.Node {
  if (ts.isIndexedAccessTypeNode(node) && ts.isIndexedAccessTypeNode(node.objectType)) {
    const { objectType: components, indexType: kind } = node.objectType;
    if (isReference(components, "components") && literalOf(kind) === "schemas") {
      return factory.createTypeReferenceNode(nameIn(node.indexType));
    }
  }
  const copy = ts.visitEachChild(node, useNames, undefined);
  return ts.setSyntheticLeadingComments(copy, commentsOf(node));
}

function commentsOf(node: ts.Node): ts.SynthesizedComment[] | undefined {
  return ts.getSyntheticLeadingComments(node);
}

function isProperty(node: ts.Node, name: string): node is ts.PropertySignature {
  return ts.isPropertySignature(node) && nameOf(node.name) === name;
}

function nameOf(name: ts.PropertyName): string {
  if (ts.isIdentifier(name) || ts.isStringLiteral(name)) return name.text;
  throw new Error("openapi-typescript wrote a computed property name");
}

function nameIn(node: ts.TypeNode): string {
  const name = literalOf(node);
  if (name === undefined) throw new Error("openapi-typescript wrote an index that is not a string");
  return name;
}

function isReference(node: ts.TypeNode, name: string): boolean {
  return ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName) && node.typeName.text === name;
}

function literalOf(node: ts.TypeNode): string | undefined {
  return ts.isLiteralTypeNode(node) && ts.isStringLiteral(node.literal) ? node.literal.text : undefined;
}
