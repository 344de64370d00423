import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import RequestForm from './request-form.vue';
import './site.css';

/** The default theme of VitePress without its fonts, with the form that sends a request. */
export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => {
    app.component('RequestForm', RequestForm);
  },
} satisfies Theme;
