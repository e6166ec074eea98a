import { address } from "../../app/location.ts";
import { user } from "../../app/session.ts";
import { ButtonLink } from "../../parts/button.tsx";

/** The way to a new code, for those whose plan lets them make one. */
export function newCodeLink() {
  if (!user().features.creates) return null;
  return (
    <ButtonLink href={address("/codes/new")} look="primary" icon="plus">
      New code
    </ButtonLink>
  );
}
