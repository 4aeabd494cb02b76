<?php
// Prints the signatures that wrong receivers in PHP compute, one `name<TAB>signature` a line.
[, $timestamp, $secret] = $argv;
$raw = stream_get_contents(STDIN);
$event = json_decode($raw, true);

function sign(string $message): string {
    global $secret;
    return 'v1=' . hash_hmac('sha256', $message, $secret);
}
function show(string $name, string $signature): void {
    echo "$name\t$signature\n";
}

show('written', json_encode($event));
show('json_encode', sign("$timestamp." . json_encode($event)));
show('json_encode with slashes', sign("$timestamp." . json_encode($event, JSON_UNESCAPED_SLASHES)));
show('json_encode with Unicode', sign("$timestamp." . json_encode($event, JSON_UNESCAPED_UNICODE)));
show('json_encode pretty', sign("$timestamp." . json_encode($event, JSON_PRETTY_PRINT)));
show('empty body', sign("$timestamp." . ''));
show('array as text', sign("$timestamp." . @strval($event)));
show('Latin-1', sign("$timestamp." . @utf8_decode($raw)));
show('base64 of the hex', 'v1=' . base64_encode(hash_hmac('sha256', "$timestamp.$raw", $secret)));
show('key and message swapped', 'v1=' . hash_hmac('sha256', $secret, "$timestamp.$raw"));
show('SHA-1', 'v1=' . hash_hmac('sha1', "$timestamp.$raw", $secret));
