/** Environment variables of the functions. Tests that run handlers in this process import this file first. */
process.env['STAGE'] ??= 'local';
process.env['POWERTOOLS_SERVICE_NAME'] ??= 'identity-test';
