import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Prints the signatures that wrong receivers in Java compute, one `name<TAB>signature` a line. */
class Mistakes {
    static String secret;

    static void show(String name, byte[] message) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        System.out.println(name + "\tv1=" + HexFormat.of().formatHex(mac.doFinal(message)));
    }

    static void show(String name, String message) throws Exception {
        show(name, message.getBytes(StandardCharsets.UTF_8));
    }

    public static void main(String[] given) throws Exception {
        String timestamp = given[0];
        secret = given[1];
        byte[] bytes = System.in.readAllBytes();
        String raw = new String(bytes, StandardCharsets.UTF_8);
        show("ASCII", (timestamp + "." + raw).getBytes(StandardCharsets.US_ASCII));
        show("UTF-16", raw.getBytes(StandardCharsets.UTF_16LE));
        Map<?, ?> event = new com.google.gson.Gson().fromJson(raw, Map.class);
        show("Gson map", timestamp + "." + new com.google.gson.Gson().toJson(event));
        Object tree = com.google.gson.JsonParser.parseString(raw);
        show("Gson tree", timestamp + "." + new com.google.gson.Gson().toJson(tree));
        var jackson = new com.fasterxml.jackson.databind.ObjectMapper();
        show("Jackson tree", timestamp + "." + jackson.writeValueAsString(jackson.readTree(raw)));
        Map<?, ?> read = jackson.readValue(raw, Map.class);
        show("Map as text", timestamp + "." + read);
        show("Jackson pretty", timestamp + "." + jackson.writerWithDefaultPrettyPrinter().writeValueAsString(read));
    }
}
