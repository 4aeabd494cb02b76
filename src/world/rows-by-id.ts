/** Rows by their UUID, asked for in upper or lower case (RFC 9562); those of rows are in lower case. */
export class RowsById<Row> extends Map<string, Row> {
  override get(id: string): Row | undefined {
    return super.get(id) ?? super.get(id.toLowerCase())
  }

  override has(id: string): boolean {
    return super.has(id.toLowerCase())
  }
}
