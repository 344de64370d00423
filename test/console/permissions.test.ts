import { expect, test } from '@jest/globals';
import { PERMITTED, type PermittedRoute } from '../../clients/console/src/permissions.ts';
import { consoleRouteOf } from '../../shared/console/routes.ts';

/** The pages offer what the routes permit. */

test.each(Object.keys(PERMITTED) as PermittedRoute[])('the pages know who may use %s', (route) => {
  expect(PERMITTED[route]).toEqual(consoleRouteOf(route).roles);
});
