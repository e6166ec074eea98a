/** What the code does. */
import { Icon } from "../../parts/icon.tsx";
import { typeWords } from "../../words/codes.ts";

export function TypePicker(props: {
  types: readonly string[];
  type: string;
  onType: (type: string) => void;
}) {
  return (
    <fieldset class="types">
      <legend class="spoken">What the code does</legend>
      {props.types.map((each) => {
        const { words, icon, about } = typeWords[each]!;
        return (
          <label key={each} class="type">
            <input
              type="radio"
              name="type"
              value={each}
              checked={props.type === each}
              onChange={() => props.onType(each)}
            />
            <Icon name={icon} />
            <strong>{words}</strong>
            <span class="small soft">{about}</span>
          </label>
        );
      })}
    </fieldset>
  );
}
