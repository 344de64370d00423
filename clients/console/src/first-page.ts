/**
 * The modules of the first page that other pages use too. esbuild makes a file for each set of modules that the same pages
 * load. The build adds this list to every page, so that all of these are in one file, which compresses better.
 */
import '../../../shared/core/environment.ts';
import './api.ts';
import './components/badge.tsx';
import './components/button.tsx';
import './components/chart-table.tsx';
import './components/empty-state.tsx';
import './components/notice.tsx';
import './components/page.tsx';
import './environment.ts';
import './form.ts';
import './format.ts';
import './loaded-data.ts';
import './session.ts';
import './texts.ts';
import '@preact/signals';
import 'preact/hooks';
import 'preact/jsx-runtime';
import 'preact-iso/router';
