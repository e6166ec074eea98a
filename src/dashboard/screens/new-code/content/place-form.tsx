/** A place on the map. */
import { useSignal } from "@preact/signals";
import type { PlaceContent } from "../../../../domain/content/content-types.ts";
import { TextField } from "../../../parts/field.tsx";
import { bothIn, degreesIn } from "./coordinates.ts";
import { type FormProps, tied } from "./form-props.ts";

/** A number that is not there yet: the service says what is missing. */
const none = undefined as unknown as number;

export function PlaceForm(props: FormProps<PlaceContent>) {
  const { content, onContent, problemOf } = props;
  // As typed: "52." is on its way to a number.
  const latitude = useSignal(String(content.latitude ?? ""));
  const longitude = useSignal(String(content.longitude ?? ""));
  const take = () => {
    onContent({
      ...content,
      latitude: degreesIn(latitude.value) ?? none,
      longitude: degreesIn(longitude.value) ?? none,
    });
  };
  return (
    <>
      <div class="field-row">
        <TextField
          label="Latitude"
          inputMode="text"
          required
          autocomplete="off"
          placeholder="52.5200"
          value={latitude.value}
          problem={problemOf("content.latitude")}
          onValue={(value) => {
            const both = bothIn(value);
            latitude.value = both?.[0] ?? value;
            if (both !== null) longitude.value = both[1];
            take();
          }}
        />
        <TextField
          label="Longitude"
          inputMode="text"
          required
          autocomplete="off"
          placeholder="13.4050"
          value={longitude.value}
          problem={problemOf("content.longitude")}
          onValue={(value) => {
            longitude.value = value;
            take();
          }}
        />
      </div>
      <p class="field-hint">
        In degrees; south and west are negative. Maps give both at once when you press long on a place: paste
        them as they are into the first field.
      </p>
      <TextField
        label="Name of the place"
        optional
        maxLength={100}
        {...tied(props, "name")}
        hint="Some maps show it at the pin."
      />
    </>
  );
}
