/** What a screen about one code shows while the code is not there: it loads, cannot be loaded, or does not exist. */

import type { Code } from "../../../schema/responses.ts";
import { Refusal } from "../../api/client.ts";
import { address } from "../../app/location.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Bones, Empty } from "../../parts/empty.tsx";
import { Failure } from "../../parts/notice.tsx";
import type { Load } from "../../parts/work.ts";

export function CodeWaiting({ code }: { code: Load<Code> }) {
  if (code.error === null) {
    return (
      <div class="card card-flush">
        <Bones lines={10} words="Loading the code" />
      </div>
    );
  }
  if (!(code.error instanceof Refusal && code.error.status === 404)) {
    return <Failure error={code.error} retry={code.reload} />;
  }
  return (
    <div class="card">
      <Empty
        icon="code"
        title="There is no such code"
        action={<ButtonLink href={address("/codes")}>All codes</ButtonLink>}
      >
        The address may be mistyped, or the code belongs to another account.
      </Empty>
    </div>
  );
}
