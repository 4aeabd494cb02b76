/** Rows by their UUID, in upper or lower case (RFC 9562). */
export class RowsById<Row> extends Map<string, Row> {
  override get(id: string): Row | undefined {
    return super.get(id) ?? super.get(id.toLowerCase())
  }

  override has(id: string): boolean {
    return super.has(id.toLowerCase())
  }

  override set(id: string, row: Row): this {
    return super.set(id.toLowerCase(), row)
  }
}
