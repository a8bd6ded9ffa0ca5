import { type ReactElement, type ReactNode, useEffect, useRef } from "react";

/** A dialog in the browser's top layer: it keeps the focus, closes on Escape, and gives the focus back. */
export function Modal({
  label,
  onClose,
  children,
}: {
  label: string;
  onClose: () => void;
  children: ReactNode;
}): ReactElement {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className="oven-modal"
      aria-label={label}
      onClose={onClose}
      onCancel={onClose}
      onKeyDown={(event) => event.stopPropagation()}
      onPointerDown={(event) => {
        // The backdrop belongs to the dialog itself.
        if (event.target === event.currentTarget) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
