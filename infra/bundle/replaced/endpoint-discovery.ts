/**
 * Stands in the bundles for `@aws-sdk/middleware-endpoint-discovery`. The DynamoDB client sets it up and no command
 * of it uses it: 9 KB, most of it a cache.
 */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {
  environmentVariableSelector: () => undefined,
  configFileSelector: () => undefined,
  default: false,
};

export function resolveEndpointDiscoveryConfig<C>(config: C): C {
  return config;
}
