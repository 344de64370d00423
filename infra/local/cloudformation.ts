/** The shape of CloudFormation templates. */

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export interface Template {
  readonly Resources: Readonly<
    Record<
      string,
      { readonly Type: string; readonly Properties?: JsonObject; readonly Metadata?: JsonObject }
    >
  >;
  readonly Parameters?: Readonly<Record<string, { readonly Default?: Json }>>;
  readonly Outputs?: Readonly<
    Record<string, { readonly Value: Json; readonly Export?: { readonly Name: Json } }>
  >;
}

export interface Stack {
  readonly name: string;
  readonly template: Template;
}

/** One resource of one stack, with its properties still unresolved. */
export interface Resource {
  readonly stack: Stack;
  readonly logicalId: string;
  readonly type: string;
  readonly properties: JsonObject;
  readonly metadata: JsonObject;
}
