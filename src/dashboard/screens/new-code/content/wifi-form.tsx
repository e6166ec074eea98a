/** A wireless network. */
import type { WifiContent } from "../../../../domain/content/content-types.ts";
import { CheckField, Segments, TextField } from "../../../parts/field.tsx";
import { type FormProps, tied } from "./form-props.ts";

export function WifiForm(props: FormProps<WifiContent>) {
  const { content, onContent } = props;
  const change = (changed: Partial<WifiContent>) => onContent({ ...content, ...changed });
  return (
    <>
      <TextField
        label="Name of the network"
        required
        maxLength={32}
        autocomplete="off"
        spellcheck={false}
        {...tied(props, "ssid")}
        hint="Exactly as phones list it, with capitals and blanks."
      />
      <div class="field">
        <span class="field-label">Security</span>
        <div>
          <Segments
            label="Security"
            value={content.security}
            options={[
              ["WPA", "WPA, WPA2, WPA3"],
              ["WEP", "WEP"],
              ["nopass", "None"],
            ]}
            onValue={(security) => change({ security })}
          />
        </div>
      </div>
      {content.security !== "nopass" && (
        <TextField
          label="Password"
          required
          maxLength={64}
          autocomplete="off"
          spellcheck={false}
          {...tied(props, "password")}
          hint="It is in the picture: whoever can scan the code can read it."
        />
      )}
      <CheckField
        label="Hidden network"
        hint="It is not in the list of phones."
        value={content.hidden ?? false}
        onValue={(hidden) => change({ hidden })}
      />
    </>
  );
}
