import type { ComponentChildren } from 'preact';
import type { Environment } from '../../../../shared/core/environment.ts';

interface InvoiceLinkProps {
  readonly env: Environment;
  readonly number: string;
  readonly children: ComponentChildren;
}

/** Downloads a document. The address belongs to the API, so the browser asks it and not the pages. */
export function InvoiceLink({ env, number, children }: InvoiceLinkProps) {
  return (
    <a class="button plain" href={`/console/api/invoices/${number}?env=${env}`} download={`${number}.pdf`}>
      {children}
    </a>
  );
}
