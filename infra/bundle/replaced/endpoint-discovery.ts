/**
 * Replaces `@aws-sdk/middleware-endpoint-discovery` in the bundles. The DynamoDB client configures it, but none of its
 * commands uses it.
 */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => undefined,
  configFileSelector: () => undefined,
  default: false,
};

export function resolveEndpointDiscoveryConfig<C>(config: C): C {
  return config;
}
