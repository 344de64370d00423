import type { ComponentChildren } from 'preact';

interface ButtonProps {
  readonly children: ComponentChildren;
  /** `primary`: at most once on a page. `danger`: for actions that are hard to undo; `removal` opens their dialog. */
  readonly kind?: 'primary' | 'plain' | 'danger' | 'removal' | 'link';
  readonly type?: 'button' | 'submit';
  readonly onClick?: () => void;
  /** The action is in progress. The button keeps the focus but does nothing. */
  readonly isBusy?: boolean;
  /** The person has to do something else first. */
  readonly isDisabled?: boolean;
  /** The object of the action, for screen readers, which may not announce the row or card around it. */
  readonly about?: string;
}

export function Button({
  children,
  kind = 'plain',
  type = 'button',
  onClick,
  isBusy,
  isDisabled,
  about,
}: ButtonProps) {
  return (
    <button
      type={type}
      class={`button ${kind}`}
      disabled={isDisabled}
      aria-disabled={isBusy ? 'true' : undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    >
      {children}
      {about && <span class="hidden"> {about}</span>}
    </button>
  );
}

interface ButtonLinkProps {
  readonly children: ComponentChildren;
  readonly href: string;
  readonly kind?: 'primary' | 'plain';
}

export function ButtonLink({ children, href, kind = 'plain' }: ButtonLinkProps) {
  return (
    <a class={`button ${kind}`} href={href}>
      {children}
    </a>
  );
}
