/** The roles of an organisation's members (docs/operate/console.md, "Roles"), in the order in which lists show them. */
export const ROLES = ['owner', 'admin', 'developer', 'finance', 'viewer'] as const;
export type Role = (typeof ROLES)[number];
