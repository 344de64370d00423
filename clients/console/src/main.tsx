import './first-page.ts';
import { render } from 'preact';
import { App, preloadPage } from './app.tsx';
import { surviveReplacedTexts } from './replaced-texts.ts';
import { hideUntilSessionIsKnown } from './restored-page.ts';
import { loadSession, loadSessionIfAny } from './session.ts';
import './stay-here.ts';

/** Starts the console: the shell at once, and at the same time the requests for the session and the page. */

/** The sign-in page needs no session. The invitation page reads it after storing the secret from its address. */
const READ_NO_SESSION = ['/sign-in', '/invitation'];

const path = location.pathname;
preloadPage(path);
if (path === '/status') loadSessionIfAny();
else if (!READ_NO_SESSION.includes(path)) loadSession();

surviveReplacedTexts();
hideUntilSessionIsKnown();
const container = document.getElementById('app');
if (container) render(<App />, container);
