/**
 * The modules of the first page that other pages also use, and small ones that several pages use. esbuild puts modules
 * into the same file only if they are loaded by the same pages. The build adds this list to every page, so that all
 * these modules are in one file, which compresses better.
 */
import '../../../shared/accounts/key-label.ts';
import '../../../shared/core/clock.ts';
import '../../../shared/core/environment.ts';
import '../../../shared/core/id-types.ts';
import './api.ts';
import './components/badge.tsx';
import './components/button.tsx';
import './components/chart-table.tsx';
import './components/copy-button.tsx';
import './components/data-table.tsx';
import './components/empty-state.tsx';
import './components/form.tsx';
import './components/notice.tsx';
import './components/page.tsx';
import './components/results.tsx';
import './components/show-more.tsx';
import './components/time.tsx';
import './dialogs/later.tsx';
import './documentation.ts';
import './environment.ts';
import './export/export-dialog.tsx';
import './form.ts';
import './format.ts';
import './loaded-data.ts';
import './page-address.ts';
import './pages/page-not-found.tsx';
import './pages/page-not-loaded.tsx';
import './session.ts';
import './shared-texts.ts';
import './shell.tsx';
import './stay-here.ts';
import './styles.ts';
import '@preact/signals';
import 'preact/hooks';
import 'preact/jsx-runtime';
import 'preact-iso/lazy';
import 'preact-iso/router';
