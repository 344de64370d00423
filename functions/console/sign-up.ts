import { signUpDependencies, signUpRoute } from '../../shared/members/console/sign-up.ts';

export const handler = signUpRoute('sign-up', signUpDependencies());
