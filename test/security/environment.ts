/** What Lambda sets around handlers. Imported first by tests that run them in this process. */
process.env['STAGE'] ??= 'local';
process.env['POWERTOOLS_SERVICE_NAME'] ??= 'identity-test';
process.env['POWERTOOLS_METRICS_NAMESPACE'] ??= 'IdentityVerification';
