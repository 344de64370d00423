import {
  ARN_PATTERNS,
  arn,
  NAME_PROPERTIES,
  PSEUDO_PARAMETERS,
  queuePath,
  REGION,
  URL_SUFFIX,
} from './physical-names.ts';

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** A CloudFormation template. */
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

/** One resource of one stack. Its properties still contain intrinsic functions. */
export interface Resource {
  readonly stack: Stack;
  readonly logicalId: string;
  readonly type: string;
  readonly properties: JsonObject;
  readonly metadata: JsonObject;
}

/**
 * All stacks of the app, as if they were deployed on this machine. `attributes` holds the values that only the
 * runtime knows, such as the address of a function URL, by `<logical id>.<attribute>`. `sqsOrigin` is the origin of
 * queue URLs, to which the SDK sends requests.
 */
export class Deployment {
  readonly resources: readonly Resource[];
  readonly #attributes: ReadonlyMap<string, string>;
  readonly #sqsOrigin: string;
  readonly #exports = new Map<string, { stack: Stack; value: Json }>();

  constructor(
    stacks: readonly Stack[],
    attributes: ReadonlyMap<string, string> = new Map(),
    sqsOrigin = `https://sqs.${REGION}.${URL_SUFFIX}`,
  ) {
    this.#attributes = attributes;
    this.#sqsOrigin = sqsOrigin;
    this.resources = stacks.flatMap((stack) =>
      Object.entries(stack.template.Resources).map(([logicalId, { Type, Properties, Metadata }]) => {
        return { stack, logicalId, type: Type, properties: Properties ?? {}, metadata: Metadata ?? {} };
      }),
    );
    for (const stack of stacks) {
      for (const { Value, Export } of Object.values(stack.template.Outputs ?? {})) {
        if (Export) this.#exports.set(this.text(stack, Export.Name), { stack, value: Value });
      }
    }
  }

  /** Returns the resources of these types, in template order. */
  ofType(...types: string[]): Resource[] {
    return this.resources.filter((resource) => types.includes(resource.type));
  }

  /** Returns the properties of a resource with every intrinsic function replaced by its local value. */
  properties(resource: Resource): JsonObject {
    return Object.fromEntries(
      Object.entries(resource.properties).map(([key, value]) => [key, this.resolve(resource.stack, value)]),
    );
  }

  /** Returns the physical name of a resource: the one its template declares, or `<stack>-<logical id>`. */
  name(resource: Resource): string {
    const declared = resource.properties[NAME_PROPERTIES[resource.type] ?? ''];
    return declared === undefined
      ? `${resource.stack.name}-${resource.logicalId}`
      : this.text(resource.stack, declared);
  }

  /** Returns the ARN of a resource. Throws if its type is not in `ARN_PATTERNS`. */
  arn(resource: Resource): string {
    const pattern = ARN_PATTERNS[resource.type];
    if (!pattern) throw new Error(`The local runtime does not support ARNs of ${resource.type}.`);
    return pattern(this.name(resource));
  }

  /** Replaces every intrinsic function in a value. Throws for a function that is not supported. */
  resolve(stack: Stack, value: Json): Json {
    if (Array.isArray(value)) {
      return value.map((item) => this.resolve(stack, item)).filter((item) => item !== undefined);
    }
    if (value === null || typeof value !== 'object') return value;
    const [only, ...others] = Object.entries(value);
    if (only && others.length === 0 && (only[0] === 'Ref' || only[0].startsWith('Fn::'))) {
      return this.#intrinsic(stack, only[0], only[1]);
    }
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.resolve(stack, item)]));
  }

  /** Like `resolve`, for a value that must be a string. */
  text(stack: Stack, value: Json): string {
    const resolved = this.resolve(stack, value);
    if (typeof resolved !== 'string') {
      throw new Error(`${stack.name}: expected a string instead of ${JSON.stringify(value)}.`);
    }
    return resolved;
  }

  #intrinsic(stack: Stack, name: string, argument: Json): Json {
    const args = Array.isArray(argument) ? argument : [argument];
    const [first = null, second = null] = args;
    if (name === 'Ref') return this.#reference(stack, String(first));
    if (name === 'Fn::GetAtt') return this.#attribute(stack, args.map(String).join('.'));
    if (name === 'Fn::Sub') return this.#substitute(stack, first, second);
    if (name === 'Fn::ImportValue') return this.#import(this.text(stack, first));
    if (name === 'Fn::Join' && Array.isArray(second)) {
      return second.map((item) => this.text(stack, item)).join(String(first));
    }
    if (name === 'Fn::Select') {
      const list = this.resolve(stack, second);
      if (Array.isArray(list)) return list[Number(first)] ?? null;
    }
    if (name === 'Fn::Split') return this.text(stack, second).split(String(first));
    throw new Error(`The local runtime does not support ${name} ${JSON.stringify(argument)}.`);
  }

  #reference(stack: Stack, logicalId: string): Json {
    if (logicalId === 'AWS::StackName') return stack.name;
    if (logicalId === 'AWS::StackId') return arn('cloudformation', `stack/${stack.name}/local`);
    const known = PSEUDO_PARAMETERS[logicalId] ?? stack.template.Parameters?.[logicalId]?.Default;
    if (known !== undefined) return known;
    const resource = this.#find(stack, logicalId);
    if (resource.type === 'AWS::SecretsManager::Secret') return this.arn(resource);
    if (resource.type === 'AWS::SQS::Queue') return this.#sqsOrigin + queuePath(this.name(resource));
    return this.name(resource);
  }

  #attribute(stack: Stack, path: string): string {
    const value = this.#attributes.get(path);
    if (value !== undefined) return value;
    const [logicalId = '', attribute] = path.split('.');
    const resource = this.#find(stack, logicalId);
    if (attribute === 'Arn' || (attribute === 'Id' && resource.type === 'AWS::SecretsManager::Secret')) {
      return this.arn(resource);
    }
    if (attribute === 'StreamArn') return `${this.arn(resource)}/stream/local`;
    throw new Error(`The local runtime does not support the attribute ${path} of ${resource.type}.`);
  }

  #substitute(stack: Stack, pattern: Json, variables: Json): string {
    const local =
      variables !== null && typeof variables === 'object' && !Array.isArray(variables) ? variables : {};
    return String(pattern).replace(/\$\{([^}!]+)\}/g, (_all, name: string) => {
      const value = local[name];
      if (value !== undefined) return this.text(stack, value);
      return String(name.includes('.') ? this.#attribute(stack, name) : this.#reference(stack, name));
    });
  }

  #import(name: string): Json {
    const found = this.#exports.get(name);
    if (!found) throw new Error(`No stack exports ${name}.`);
    return this.resolve(found.stack, found.value);
  }

  #find(stack: Stack, logicalId: string): Resource {
    const found = this.resources.find((item) => item.stack === stack && item.logicalId === logicalId);
    if (!found) throw new Error(`${stack.name} has no resource ${logicalId}.`);
    return found;
  }
}
