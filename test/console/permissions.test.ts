import { expect, test } from '@jest/globals';
import { PERMITTED, type PermittedRoute } from '../../clients/console/src/permissions.ts';
import { consoleRouteOf } from '../../shared/http/console/routes.ts';

/** The pages offer what the routes permit. */

test.each(Object.keys(PERMITTED) as PermittedRoute[])(
  'the pages offer %s to the roles that may use it',
  (route) => {
    expect(PERMITTED[route]).toEqual(consoleRouteOf(route).roles);
  },
);
