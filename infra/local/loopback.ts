/**
 * Lets requests to this machine bypass a proxy: with `NODE_USE_ENV_PROXY=1`, Node sends them to the one that
 * `HTTP_PROXY` names. Of the two variables that list exceptions, Node reads the lower-case one if both exist.
 */
export function bypassProxy(): void {
  const { no_proxy: lower, NO_PROXY: upper } = process.env;
  const own = (lower ?? upper ?? '').split(',').filter(Boolean);
  const hosts = [...new Set([...own, '127.0.0.1', 'localhost'])].join(',');
  Object.assign(process.env, { no_proxy: hosts, NO_PROXY: hosts });
}
