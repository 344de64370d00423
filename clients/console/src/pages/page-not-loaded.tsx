import { useLayoutEffect } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { Page } from '../components/page.tsx';
import { sharedTexts } from '../shared-texts.ts';

/** Whether a page could not be loaded since the document was. Browsers may keep this result for its code. */
let hasFailed = false;

/** Replaces a page whose code could not be loaded, for example because the connection was lost. */
export function PageNotLoaded() {
  const reload = () => location.reload();
  // Effects run later, after which a person may already have left.
  useLayoutEffect(() => {
    if (hasFailed && navigator.onLine) reload();
    hasFailed = true;
    addEventListener('online', reload);
    return () => removeEventListener('online', reload);
  }, []);
  return (
    <Page title="Page not loaded" lead="This page could not be loaded. Check your connection, then retry.">
      <Button kind="primary" onClick={reload}>
        {sharedTexts.retry}
      </Button>
    </Page>
  );
}
