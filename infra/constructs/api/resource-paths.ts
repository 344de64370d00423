/**
 * Returns the paths of all resources of the REST API: the paths of the routes, their parent paths, and one for all
 * other paths. API Gateway serves `/x` and `/x/` from one resource.
 */
export function resourcePaths(routePaths: readonly string[]): string[] {
  const above = routePaths.flatMap((path) =>
    path.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/') || '/'),
  );
  return [...new Set(['/', '/{proxy+}', ...above])];
}
