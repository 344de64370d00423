import { ButtonLink } from '../components/button.tsx';
import { Secret } from '../components/secret-dialog.tsx';
import { useEnvironment } from '../environment.ts';
import { may, session } from '../session.ts';
import { curlOf, playgroundPath, type SentRequest } from './like-request.ts';

/** A command that sends a request like this one, and a link to the playground. */
export function SameRequest({ request }: { readonly request: SentRequest }) {
  const env = useEnvironment();
  return (
    <details>
      <summary>Send a request like this one</summary>
      <p class="hint">
        This command needs your key in $API_KEY, and the number instead of NUMBER: numbers are not stored.
      </p>
      <Secret label="the cURL command" text={curlOf(request, session.value?.api_url ?? '')} />
      {may('send-test-request') && (
        <ButtonLink href={playgroundPath(env, request)}>Open in the playground</ButtonLink>
      )}
    </details>
  );
}
