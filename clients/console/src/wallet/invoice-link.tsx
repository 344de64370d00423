import type { ComponentChildren } from 'preact';
import type { Environment } from '../../../../shared/core/environment.ts';

interface InvoiceLinkProps {
  readonly env: Environment;
  readonly number: string;
  readonly children: ComponentChildren;
}

/** Downloads a document. Its address belongs to the API, so the browser, not the console's router, follows the link. */
export function InvoiceLink({ env, number, children }: InvoiceLinkProps) {
  return (
    <a class="button plain" href={`/console/api/invoices/${number}?env=${env}`} download={`${number}.pdf`}>
      {children}
    </a>
  );
}
