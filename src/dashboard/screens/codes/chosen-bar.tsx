/** What can be done with several codes at once. */
import { type CodeItem, updateCode } from "../../api/codes.ts";
import { Button } from "../../parts/button.tsx";
import { ask } from "../../parts/dialog.tsx";
import { messageOf } from "../../parts/notice.tsx";
import { tell } from "../../parts/toast.tsx";
import { counted } from "../../words/numbers.ts";

/** Few enough for the service to serve others in between. */
const atOnce = 4;

export function ChosenBar(props: { codes: readonly CodeItem[]; onDone: () => void; onClear: () => void }) {
  const { codes, onDone, onClear } = props;
  const live = codes.filter(({ status }) => status !== "archived");
  const archived = codes.filter(({ status }) => status === "archived");
  const offer = (some: readonly CodeItem[], status: "active" | "archived") => {
    const number = counted(some.length, "code");
    ask({
      title: status === "archived" ? `Archive ${number}?` : `Bring ${number} back?`,
      words:
        status === "archived"
          ? "Their links stop working at once. You can bring them back at any time."
          : "Their links work again, and they count for your plan's limit of active codes.",
      act: status === "archived" ? "Archive" : "Bring back",
      danger: status === "archived",
      work: async () => {
        const failed = await changeAll(some, status);
        onDone();
        const done = some.length - failed.length;
        if (done > 0) tell(`${counted(done, "code")} ${status === "archived" ? "archived" : "brought back"}`);
        if (failed.length > 0)
          tell(`${counted(failed.length, "code")} could not be changed: ${failed[0]}`, "bad");
      },
    });
  };
  return (
    <div class="chosen-bar" role="toolbar" aria-label="Chosen codes">
      <strong class="grow">{counted(codes.length, "code")} chosen</strong>
      {live.length > 0 && (
        <Button small icon="archive" onClick={() => offer(live, "archived")}>
          Archive
        </Button>
      )}
      {archived.length > 0 && (
        <Button small icon="restore" onClick={() => offer(archived, "active")}>
          Bring back
        </Button>
      )}
      <Button small look="quiet" onClick={onClear}>
        Clear
      </Button>
    </div>
  );
}

/** Gives why those failed that did. */
async function changeAll(codes: readonly CodeItem[], status: "active" | "archived"): Promise<string[]> {
  const failed: string[] = [];
  const left = [...codes];
  const worker = async () => {
    for (let code = left.pop(); code !== undefined; code = left.pop()) {
      await updateCode(code.qr_id, { status }).catch((error) => failed.push(messageOf(error)));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return failed;
}
