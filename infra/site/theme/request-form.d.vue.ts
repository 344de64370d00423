import type { DefineComponent } from 'vue';

declare const RequestForm: DefineComponent;
export default RequestForm;
