/** Environment variables that Lambda sets. Tests that run handlers in this process import this file first. */
process.env['STAGE'] ??= 'local';
process.env['POWERTOOLS_SERVICE_NAME'] ??= 'identity-test';
