import { ServiceError } from '../../../core/errors.ts';
import { errorFields } from '../../../core/logger.ts';
import type { ConsoleMiddleware } from '../context.ts';
import { reportConsoleRequest } from '../report-request.ts';
import {
  failureOf,
  fileOf,
  isConsoleFile,
  isConsoleResult,
  isPublicResult,
  isRedirect,
  publicOf,
  redirectOf,
  successOf,
} from '../responses.ts';

/**
 * Ends every chain of the console: creates the response with its envelope and headers, and writes one log line and
 * metrics. It is the outermost middleware. Its `onError` calls only pure code and code that writes to the log, because
 * an error in it would lose the response.
 */
export function respond(): ConsoleMiddleware {
  return {
    after: async function respondAfter(request) {
      const { consoleContext } = request.context;
      const { response } = request;
      if (isConsoleResult(response)) request.response = successOf(response, consoleContext, request.event);
      else if (isConsoleFile(response)) request.response = fileOf(response, consoleContext);
      else if (isPublicResult(response)) request.response = publicOf(response, consoleContext, request.event);
      else if (isRedirect(response)) request.response = redirectOf(response, consoleContext);
      else throw new Error(`The route ${consoleContext.name} returned no result.`);
      reportConsoleRequest(consoleContext, request.response.statusCode);
    },
    onError: async function respondOnError(request) {
      const { consoleContext } = request.context;
      const { error } = request;
      const known = error instanceof ServiceError ? error : new ServiceError('SERVER_ERROR');
      if (known !== error) consoleContext.detail = JSON.stringify(errorFields(error));
      request.response = failureOf(known, consoleContext, request.event);
      reportConsoleRequest(consoleContext, request.response.statusCode);
    },
  };
}
