// Bytes to fixes: files, pipes, sockets.
