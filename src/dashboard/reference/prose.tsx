import { Ticked } from '../parts.tsx'

/** A description of a document: paragraphs, lists, and code in backticks. */
export const Prose = ({ text }: { text: string }) => (
  <>
    {text
      .split('\n\n')
      .filter(Boolean)
      .map((part) =>
        part.startsWith('- ') ? (
          <ul class="list">
            {part.split('\n').map((line) => (
              <li>
                <Ticked text={line.slice(2)} />
              </li>
            ))}
          </ul>
        ) : (
          <p>
            <Ticked text={part} />
          </p>
        ),
      )}
  </>
)
